import type { IncomingMessage } from 'node:http';
import { type HttpCall, openStream } from './http-connection.ts';
import { newerEraPost } from './mcp-message.ts';
import { Outcomes, outcomeOf, transportError } from './outcomes.ts';
import type { AttackPlan, StreamReport } from './plan.ts';

interface StreamKind {
  readonly url: URL;
  readonly calls: readonly HttpCall[];
  /** The beginning of each event. Comments that keep the stream open are no events. */
  readonly event: string;
}

/** Streams that are opened once and read until the end of the attack. */
export class EventStreams {
  readonly #kind: StreamKind;
  readonly #refused = new Outcomes();
  #opened = 0;
  #events = 0;
  #ended = 0;

  constructor(kind: StreamKind) {
    this.#kind = kind;
  }

  start(): void {
    for (const call of this.#kind.calls) void this.#follow(call);
  }

  report(): StreamReport {
    return {
      opened: this.#opened,
      events: this.#events,
      ended: this.#ended,
      refused: this.#refused.counts(),
    };
  }

  async #follow(call: HttpCall): Promise<void> {
    let incoming: IncomingMessage;
    try {
      incoming = await openStream(this.#kind.url, call);
    } catch (error) {
      this.#refused.add(transportError(error));
      return;
    }

    const isEventStream = incoming.headers['content-type']?.startsWith('text/event-stream');
    if (incoming.statusCode === 200 && isEventStream === true) await this.#read(incoming);
    else await this.#countRefusal(incoming);
  }

  async #read(incoming: IncomingMessage): Promise<void> {
    this.#opened++;
    try {
      for await (const text of incoming.setEncoding('utf8')) {
        this.#events += text.split(this.#kind.event).length - 1;
      }
    } catch {
      // It is counted as ended, like one that the service closes.
    }
    this.#ended++;
  }

  async #countRefusal(incoming: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    this.#refused.add(outcomeOf({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }));
  }
}

export const pageStreams = ({ base, pageCookies }: AttackPlan): EventStreams =>
  new EventStreams({
    url: new URL('/page/events', base),
    calls: pageCookies.map((cookie) => ({ headers: { cookie, 'acequia-page': '1' } })),
    event: 'data: ',
  });

/** Only the newer era of the protocol listens over HTTP. */
export function listenStreams({ base, listenKeys }: AttackPlan): EventStreams {
  const notifications = { resourceSubscriptions: ['acequia://alerts/firing'] };
  const post = newerEraPost({ method: 'subscriptions/listen', params: { notifications } });
  return new EventStreams({
    url: new URL('/mcp', base),
    calls: listenKeys.map((key) => ({ ...post, headers: { ...post.headers, 'x-api-key': key } })),
    event: 'notifications/resources/updated',
  });
}
