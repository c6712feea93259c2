export interface QuestionPhrases {
  /** Asks for a missing flow rate; equipment of a parcel counts for all of its probes. */
  flowRate(probe: { readonly name: string; readonly isOfParcel: boolean }): string;
  readonly flowRateTitle: string;
  flowRateGiven(flowMmPerH: string): string;
  flowRateNotEntered(flowMmPerH: string, why: string): string;
  whichOne(text: string): string;
}
