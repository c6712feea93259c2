import { beforeAll, expect, it } from 'vitest';
import { baseFarmForFile } from '../../base-farm.ts';
import { afterFile } from '../../cleanup.ts';
import { type RestService, startServing } from '../rest-service.ts';
import { openRawConnection } from './raw-requests.ts';

let service: RestService;
let key: string;
beforeAll(async () => {
  service = await startServing(await baseFarmForFile(), ['--metrics-port', '0'], {
    after: afterFile,
  });
  key = await service.newKey();
});

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** The whole response to a request with these lines of headers. */
async function responseTo(
  port: number,
  requestLine: string,
  lines: readonly string[],
  body = '',
): Promise<string> {
  const { socket, closed } = await openRawConnection(port);
  const head = [requestLine, 'Connection: close', ...lines, `Content-Length: ${body.length}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return closed;
}

const statusOf = (response: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);

const REBINDINGS: [name: string, headers: string[]][] = [
  ['a foreign name', ['Host: evil.example']],
  ['a foreign name in upper case', ['Host: EVIL.EXAMPLE']],
  ['a foreign name with a trailing dot', ['Host: evil.example.']],
  ['a local name with a trailing dot', ['Host: localhost.']],
  ['a name that begins with a local one', ['Host: localhost.evil.example']],
  ['a name that begins with a local address', ['Host: 127.0.0.1.evil.example']],
  ['a foreign IPv6 address', ['Host: [2001:db8::1]']],
  ['an IPv6 address of any interface', ['Host: [::]']],
  ['a local IPv6 address with a zone', ['Host: [::1%25evil.example]']],
  ['a foreign name after user information', ['Host: localhost@evil.example']],
  ['a local name after user information', ['Host: evil.example@localhost']],
  ['two Host headers, the local one first', ['Host: localhost', 'Host: evil.example']],
  ['two Host headers, the local one last', ['Host: evil.example', 'Host: localhost']],
  ['two names in one header', ['Host: localhost, evil.example']],
  [
    'a local name that a proxy is said to have seen',
    ['Host: evil.example', 'X-Forwarded-Host: localhost'],
  ],
  ['no Host', []],
];

it.each(REBINDINGS)(
  '%s does not reach MCP in HTTP/1.1 or 1.0, even with a valid key',
  async (_, headers) => {
    for (const version of ['1.1', '1.0']) {
      const lines = [...headers, `x-api-key: ${key}`, 'Content-Type: application/json'];
      const response = await responseTo(service.port, `POST /mcp HTTP/${version}`, lines, PING);
      expect([400, 403], response).toContain(statusOf(response));
      expect(response).not.toContain('"result"');
    }
  },
);

it('a local name reaches MCP', async () => {
  const lines = ['Host: LOCALHOST', `x-api-key: ${key}`, 'Content-Type: application/json'];
  expect(await responseTo(service.port, 'POST /mcp HTTP/1.1', lines, PING)).toContain('"result"');
});

it.each(REBINDINGS)(
  '%s opens no other path to a page elsewhere, which has no key',
  async (_, headers) => {
    const lines = [...headers, 'Origin: http://evil.example', 'Cookie: key=1'];
    const metricsPort = Number(new URL(service.metrics!).port);
    for (const [port, path] of [
      [service.port, '/'],
      [service.port, '/health'],
      [service.port, '/v1/openapi.json'],
      [service.port, '/v1/company'],
      [metricsPort, '/metrics'],
    ] as const)
      for (const method of ['GET', 'OPTIONS']) {
        const response = await responseTo(port, `${method} ${path} HTTP/1.1`, lines);
        expect(response).not.toMatch(/^(access-control-|set-cookie)/im);
        if (path === '/v1/company' && method === 'GET')
          expect([400, 401], response).toContain(statusOf(response));
      }
  },
);
