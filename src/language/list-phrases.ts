/** What is said of a page of a list. */
export interface ListPhrases {
  readonly nextPage: string;
  /** How many there are on all pages. */
  total(count: number): string;
}
