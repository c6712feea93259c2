import { setTimeout as pause } from 'node:timers/promises';
import { type HttpAnswer, type HttpCall, HttpConnection } from './http-connection.ts';
import { outcomeOf, transportError } from './outcomes.ts';

const MS_AFTER_ERROR = 1_000;

/** Does as the service asks: it waits for as long as the `Retry-After` of a refusal says. */
export class ConsiderateClient {
  readonly #connection = new HttpConnection();
  readonly #headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  /** Sends it until the answer has no `Retry-After`. Every outcome is reported. */
  async send(url: URL, call: HttpCall, onOutcome: (outcome: string) => void): Promise<HttpAnswer> {
    const headers = { ...this.#headers, ...call.headers };
    for (;;) {
      const answer = await this.#connection.send(url, { ...call, headers }).catch(transportError);
      if (typeof answer === 'string') {
        onOutcome(answer);
        await pause(MS_AFTER_ERROR);
        continue;
      }

      onOutcome(outcomeOf(answer));
      const retryAfter = answer.headers['retry-after'];
      if (answer.status < 400) return answer;
      await pause(retryAfter === undefined ? MS_AFTER_ERROR : Number(retryAfter) * 1_000);
      if (retryAfter === undefined) return answer;
    }
  }
}
