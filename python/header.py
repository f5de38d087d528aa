"""Reduces pintle.h to text that tools without a preprocessor can parse: cffi, pycparser.

The header allows it: apart from comments, an include guard and `extern "C"` for C++, it has one `#include <stdint.h>`,
constants `#define NAME integer`, and plain C declarations. `declarations` returns the constants and declarations.
docs/python.md says how hosts use this file.
"""

import re

#: The types of `<stdint.h>`, for parsers that do not read it.
INTEGERS = "typedef int int32_t;\ntypedef long long int64_t;\ntypedef unsigned char uint8_t;\n"


def declarations(header: str, constants: bool = True) -> str:
    """The text of pintle.h without comments and directives, except, on request, the #defines of constants."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif[^\n]*\n", "", text, flags=re.DOTALL)
    kept = []
    for line in text.splitlines():
        constant = re.fullmatch(r"#define (PINTLE_\w+) \(?(-?\d+)\)?\s*", line)
        if constant:
            kept += [f"#define {constant[1]} {constant[2]}"] if constants else []
        elif line.strip() and not line.startswith("#"):
            kept.append(line.rstrip())
    return "\n".join(kept) + "\n"
