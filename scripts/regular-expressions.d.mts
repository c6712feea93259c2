interface Pattern {
  readonly source: string;
  readonly flags: string;
}

interface ListedPattern extends Pattern {
  /** In the list of findings. */
  readonly key: string;
  readonly isShort: boolean;
  readonly places: readonly string[];
}

export interface ListedPatterns {
  readonly patterns: readonly ListedPattern[];
  readonly unseen: readonly string[];
}

interface PatternOfSource {
  readonly line: number;
  readonly isShort: boolean;
}

export function patternsIn(
  text: string,
  isJsx?: boolean,
): {
  readonly literals: readonly (PatternOfSource & Pattern)[];
  readonly built: readonly PatternOfSource[];
};

export function listPatterns(): Promise<ListedPatterns>;

export function examine(pattern: Pattern): Promise<unknown>;
