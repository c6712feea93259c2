import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface HttpCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const isOfClosedConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET';

/** One connection that is kept open, without any limit of time: an attacker is patient. */
export class HttpConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  send(url: URL, call: HttpCall = {}): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { ...optionsOf(call), agent: this.#agent }, (incoming) => {
        collect(incoming).then(resolve, reject);
      });
      outgoing.once('error', (error) => {
        // The service had closed the idle connection before this request reached it.
        const isToRepeat = outgoing.reusedSocket && isOfClosedConnection(error);
        if (isToRepeat) this.send(url, call).then(resolve, reject);
        else reject(error);
      });
      outgoing.end(call.body);
    });
  }
}

const optionsOf = ({ method = 'GET', headers = {}, body }: HttpCall) => ({
  method,
  headers: {
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  },
});

async function collect(incoming: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { statusCode = 0, headers } = incoming;
  return { status: statusCode, headers, body: Buffer.concat(chunks) };
}

/** Resolves with the first bytes of a response that does not end, on a connection of its own. */
export function openStream(url: URL, call: HttpCall): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { ...optionsOf(call), agent: false }, resolve)
      .once('error', reject)
      .end(call.body);
  });
}
