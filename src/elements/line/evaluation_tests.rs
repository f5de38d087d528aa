//! What single forces of a line are.
