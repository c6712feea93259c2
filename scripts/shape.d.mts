export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Functions are named as "file:line figure". */
export interface Shape {
  readonly files: number;
  readonly lines: number;
  readonly shareOfWideLines: number;
  /** Of the functions of 15 lines and more. */
  readonly shareWithParagraphs: number;
  readonly nonNullAssertionsPer1000Lines: number;
  readonly conditionalSpreads: number;
  readonly nestedTernaries: readonly string[];
  /** Of more than 60 lines. */
  readonly longFunctions: readonly string[];
  readonly longestFunction: number;
  /** With more than 15 paths. */
  readonly complexFunctions: readonly string[];
}

/** By default of all sources of src and tools. */
export function countShape(sources?: readonly Source[]): Shape;
