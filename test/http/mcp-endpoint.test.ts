import { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { McpEndpoint, type McpHandler } from '../../src/http/mcp-endpoint.ts';
import { plainError } from '../../src/schema/error.ts';

const LISTEN = 'subscriptions/listen';

const tooMany = plainError({ code: 'rate_limited', status: 429, message: 'Too many.' });

/** An endpoint whose handler refuses streams of the caller; the store fails if it is read. */
function refusing(recent: object | null) {
  const identify = vi.fn(async () => ({ caller: {} }));
  const shares = { storeInTurn: (store: object) => store };
  const admit = async () => ({ identify, shares, recentIdentity: () => recent });
  const handler: Partial<McpHandler> = {
    assertMayBegin: (_, method) => {
      if (method === LISTEN) throw tooMany;
    },
  };
  const readAll = vi.fn((body: typeof identify) => body());
  const store = { readAll };
  const endpoint = new McpEndpoint(
    { store, limits: {} } as never,
    admit as never,
    handler as never,
  );

  const body = vi.fn();
  const incoming = Object.assign(new Readable({ read: body }), {
    headers: { 'mcp-method': LISTEN, 'content-length': '10' },
  });
  const answer = () => endpoint.answer({ incoming, trace: {} } as never, {});
  return { answer, readAll, body };
}

it('refuses a stream to a key that was seen lately before it reads the store or the body', async () => {
  const { answer, readAll, body } = refusing({ caller: {} });
  await expect(answer()).rejects.toBe(tooMany);
  expect(readAll).not.toHaveBeenCalled();
  expect(body).not.toHaveBeenCalled();
});

it('refuses it to another key before it reads the body', async () => {
  const { answer, body } = refusing(null);
  await expect(answer()).rejects.toBe(tooMany);
  expect(body).not.toHaveBeenCalled();
});
