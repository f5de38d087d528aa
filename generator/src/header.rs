//! Parses `include/pintle.h`: constants, functions with their parameters and comments, the table of
//! functions.
//!
//! It parses what cbindgen writes with our `cbindgen.toml`, not C in general, and panics at
//! anything else: text that it skipped would be missing in all files that are generated from the
//! header.

/// The contents of the header.
pub struct Header {
    /// The numeric `#define`s.
    pub constants: Vec<Constant>,
    /// All functions, in the order of the header.
    pub functions: Vec<Function>,
    /// Types of callbacks, as `pintle_load_fn`.
    pub callbacks: Vec<Function>,
    /// Members of `pintle_api`.
    pub table: Vec<Member>,
    /// Opaque types.
    pub handles: Vec<String>,
}

/// A number with a name.
pub struct Constant {
    /// `PINTLE_OK`.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// The comment up to its first empty line.
    pub doc: String,
}

/// A member of the table of all functions.
pub struct Member {
    /// Its name: that of the function without `pintle_`.
    pub name: String,
    /// The C type of a member that is not a function.
    pub base: Option<String>,
    /// `int32_t (*step)(pintle_system *sys, double dt)`.
    pub declaration: String,
}

/// A function, or the type of a callback.
pub struct Function {
    /// `pintle_step`.
    pub name: String,
    /// The C type of what it returns.
    pub result: String,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The comment up to its first empty line.
    pub doc: String,
    /// The whole comment, line by line.
    pub comment: Vec<String>,
    /// The text of the comment after "Errors:".
    pub errors: String,
    /// The declaration as one line of C.
    pub declaration: String,
}

/// A parameter of a function.
pub struct Parameter {
    /// Its name in C.
    pub name: String,
    /// Type without `const` and stars: `double`.
    pub base: String,
    /// True if it points to const.
    pub is_const: bool,
    /// Levels of pointers; `double x[7]` has one.
    pub stars: usize,
    /// The size in brackets: a declared `[7]`, or what the comment says: `[n][6]` is `["n", "6"]`.
    pub dimensions: Vec<String>,
    /// The text of the comment after the colon.
    pub doc: String,
}

impl Header {
    /// The header that is checked in.
    pub fn read() -> Self {
        Self::parse(&crate::read("include/pintle.h"))
    }

    /// A header from its text.
    pub fn parse(text: &str) -> Self {
        let mut header =
            Self { constants: vec![], functions: vec![], callbacks: vec![], table: vec![], handles: vec![] };
        let mut doc: Vec<String> = Vec::new();
        let mut statement = String::new();
        let (mut in_comment, mut in_table) = (false, false);
        for line in text.lines().map(str::trim) {
            if in_comment || line.starts_with("/*") {
                in_comment = !line.ends_with("*/");
                let words = line.trim_start_matches("/**").trim_start_matches("/*");
                doc.push(words.trim_end_matches("*/").trim_start_matches('*').trim_end().trim_start().to_owned());
                continue;
            }
            if let Some(words) = line.strip_prefix("///") {
                doc.push(words.strip_prefix(' ').unwrap_or(words).trim_end().to_owned());
                continue;
            }
            if let Some(definition) = line.strip_prefix("#define ") {
                header.constants.extend(constant(definition, &doc));
                doc.clear();
                continue;
            }
            let is_frame = line.starts_with('#') || line == "extern \"C\" {" || line.starts_with("}  // extern");
            if is_frame || line.is_empty() || line.starts_with("} // extern") || (line == "}" && !in_table) {
                doc.clear();
                continue;
            }
            if line == "typedef struct {" {
                in_table = true;
                doc.clear();
                continue;
            }
            if in_table && line == "} pintle_api;" {
                in_table = false;
                continue;
            }
            statement = format!("{statement} {line}").trim().to_owned();
            if let Some(complete) = statement.strip_suffix(';') {
                if in_table {
                    header.table.push(member(complete));
                } else {
                    header.take(complete, &doc);
                }
                statement.clear();
                doc.clear();
            }
        }
        assert!(statement.is_empty() && !in_table && !in_comment, "pintle.h ends within: {statement}");
        header
    }

    fn take(&mut self, statement: &str, doc: &[String]) {
        if let Some(handle) = statement.strip_prefix("typedef struct ") {
            self.handles.push(handle.split(' ').next().expect("a name").to_owned());
        } else if let Some(callback) = statement.strip_prefix("typedef ") {
            let pointer = callback.split_once(" (*");
            let (result, rest) = pointer.unwrap_or_else(|| {
                panic!("{statement}: spell the type of a callback in cbindgen.toml, and exclude it there (docs/abi.md)")
            });
            let (name, parameters) = rest.split_once(")(").expect("its parameters");
            self.callbacks.push(function(&format!("{result} {name}({parameters}"), doc));
        } else {
            self.functions.push(function(statement, doc));
        }
    }
}

/// `PINTLE_GROUND (-1)`. None for the include guard.
fn constant(definition: &str, doc: &[String]) -> Option<Constant> {
    let (name, value) = definition.split_once(' ')?;
    let value = value.trim_matches(['(', ')']);
    let value = value.parse().unwrap_or_else(|_| panic!("{name} is no integer: {value}"));
    Some(Constant { name: name.to_owned(), value, doc: first_paragraph(doc) })
}

/// A member of the table: `int64_t size`, or `int32_t (*step)(pintle_system *sys, double dt)`.
fn member(statement: &str) -> Member {
    let (name, base) = match statement.split_once("(*") {
        Some((_, rest)) => (rest.split(')').next().expect("a name"), None),
        None => {
            let (base, name) = statement.split_once(' ').expect("type and name");
            (name, Some(base.to_owned()))
        }
    };
    Member { name: name.to_owned(), base, declaration: statement.to_owned() }
}

fn function(statement: &str, doc: &[String]) -> Function {
    let open = statement.find('(').unwrap_or_else(|| panic!("neither function nor type: {statement}"));
    let before = &statement[..open];
    let name = before.rsplit([' ', '*']).next().expect("a name");
    let notes = notes(doc);
    let inside = statement[open + 1..].strip_suffix(')').unwrap_or_else(|| panic!("no ')' at the end: {statement}"));
    let parameters = inside.split(',').map(str::trim).filter(|one| *one != "void" && !one.is_empty());
    Function {
        name: name.to_owned(),
        result: before[..before.len() - name.len()].trim().to_owned(),
        parameters: parameters.map(|one| parameter(one, &notes)).collect(),
        doc: first_paragraph(doc),
        comment: doc.to_vec(),
        errors: doc.join(" ").split_once("Errors: ").map_or(String::new(), |(_, after)| after.to_owned()),
        declaration: statement.to_owned(),
    }
}

fn parameter(declaration: &str, notes: &[Note]) -> Parameter {
    let (declaration, bracket) = declaration.split_once('[').unwrap_or((declaration, ""));
    let name = declaration.rsplit([' ', '*']).next().expect("a name");
    let type_name = &declaration[..declaration.len() - name.len()];
    let note = notes.iter().find(|note| note.name == name);
    let mut dimensions: Vec<String> = bracket.strip_suffix(']').into_iter().map(str::to_owned).collect();
    if dimensions.is_empty() {
        dimensions = note.map_or(vec![], |note| note.dimensions.clone());
    }
    Parameter {
        name: name.to_owned(),
        base: type_name.replace("const ", "").replace('*', "").trim().to_owned(),
        is_const: type_name.contains("const "),
        // An array is passed as a pointer.
        stars: type_name.matches('*').count() + usize::from(!bracket.is_empty()),
        dimensions,
        doc: note.map_or(String::new(), |note| note.doc.clone()),
    }
}

/// The item of a comment about one parameter.
struct Note {
    name: String,
    dimensions: Vec<String>,
    doc: String,
}

/// The list of a comment: "- `cap`, `buf[cap]`: the buffer".
fn notes(doc: &[String]) -> Vec<Note> {
    let mut items: Vec<String> = Vec::new();
    let mut open = false;
    for line in doc {
        if let Some(item) = line.strip_prefix("- `") {
            items.push(format!("`{item}"));
            open = true;
        } else if open && !line.is_empty() {
            let item = items.last_mut().expect("open");
            *item = format!("{item} {}", line.trim());
        } else {
            open = false;
        }
    }
    let mut notes = Vec::new();
    for (names, doc) in items.iter().filter_map(|item| item.split_once(": ")) {
        for name in names.split('`').skip(1).step_by(2) {
            let (name, bracket) = name.split_once('[').unwrap_or((name, ""));
            let mut dimensions: Vec<String> = bracket.strip_suffix(']').into_iter().map(str::to_owned).collect();
            if dimensions.is_empty() {
                dimensions = shape_in(doc);
            }
            notes.push(Note { name: name.to_owned(), dimensions, doc: doc.to_owned() });
        }
    }
    notes
}

/// "receives `[n][6]`, each ..." is `["n", "6"]`.
fn shape_in(doc: &str) -> Vec<String> {
    let Some((_, rest)) = doc.split_once("`[") else { return vec![] };
    let shape = rest.split_once("]`").expect("a closed bracket").0;
    shape.split("][").map(str::to_owned).collect()
}

fn first_paragraph(doc: &[String]) -> String {
    let lines = doc.iter().skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    lines.map(String::as_str).collect::<Vec<_>>().join(" ")
}
