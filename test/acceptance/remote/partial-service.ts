import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface PartialService {
  readonly base: string;
  readonly requestedPaths: readonly string[];
  close(): Promise<void>;
}

/**
 * Forwards everything but paths below /v1 that `missing` matches; its openapi.json leaves these
 * out.
 */
export async function startPartialService(base: string, missing: RegExp): Promise<PartialService> {
  const requestedPaths: string[] = [];

  async function answer(
    request: IncomingMessage,
  ): Promise<{ status: number; headers: Headers; body: Buffer }> {
    const path = request.url!.replace(/^\/v1/, '');
    requestedPaths.push(path.split('?')[0]!);
    if (missing.test(path))
      return { status: 404, headers: new Headers(), body: Buffer.from('Nothing here') };
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const requestBody = await buffer(request);
    const upstream = await fetch(`${base}${path}`, {
      method: request.method!,
      headers,
      ...(requestBody.length > 0 ? { body: new Uint8Array(requestBody) } : {}),
    });
    const body = Buffer.from(await upstream.arrayBuffer());
    if (path !== '/openapi.json')
      return { status: upstream.status, headers: upstream.headers, body };
    const { paths, ...document } = JSON.parse(body.toString());
    const keptPaths = Object.fromEntries(
      Object.entries(paths).filter(([each]) => !missing.test(each)),
    );
    return {
      status: 200,
      headers: new Headers(),
      body: Buffer.from(JSON.stringify({ ...document, paths: keptPaths })),
    };
  }

  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(request);
    for (const name of ['content-type', 'acequia-remarks', 'idempotent-replayed'])
      if (headers.has(name)) response.setHeader(name, headers.get(name)!);
    response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requestedPaths,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
