/** A value, or the reason why there is none. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
});

export const failure = <Failure>(
  failure: Failure,
): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure });
