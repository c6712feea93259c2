import type { HttpAnswer } from './http-connection.ts';
import type { OutcomeCounts } from './plan.ts';

export class Outcomes {
  readonly #counts = new Map<string, number>();

  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  counts(): OutcomeCounts {
    return Object.fromEntries(this.#counts);
  }
}

/** For example "200", or "503 BUSY" for a problem with that code. */
export function outcomeOf({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): string {
  if (status < 400) return String(status);
  return `${status} ${problemCode(body)}`;
}

function problemCode(body: Buffer): string {
  try {
    return JSON.parse(body.toString()).code;
  } catch {
    return 'without a code';
  }
}

export const transportError = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
