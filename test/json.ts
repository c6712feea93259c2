/** Of any shape, from another process or an answer. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = any;
