// Codes of the characters that give JSON its structure. Each is one byte in UTF-8 and one code unit in a
// string.

export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const LETTER_U = 0x75;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;
