import type { Text } from './text/text.ts';

/** A value, or why there is none. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

/** The failure is part of a sentence for an error message: "30 February 2026 does not exist". */
export type Parsed<Value> = Result<Value, Text>;

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
});

export const failure = <Failure>(
  failure: Failure,
): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure });
