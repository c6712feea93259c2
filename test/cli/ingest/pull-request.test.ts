import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fetchAnswer, PullError } from '../../../src/cli/ingest/pull-request.ts';
import { afterTest } from '../../cleanup.ts';

type Answer = readonly [status: number, headers?: Record<string, string>];

/** A provider that gives these answers, one after the other. */
async function fetchFrom(...answers: Answer[]) {
  const requests: string[] = [];
  const retries: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    const [status, headers = {}] = answers[requests.length - 1]!;
    response.writeHead(status, headers).end('the answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = { origin, variables: ['THE_KEY'], signal: new AbortController().signal };
  const onRetry = (reason: string) => void retries.push(reason.replace(origin, 'it'));
  const body = fetchAnswer({ ...source, onRetry }, '/?key=secret', {}).then((bytes) =>
    Buffer.from(bytes).toString(),
  );
  return { body, requests, retries };
}

describe('a request to a provider', () => {
  it('is repeated after a temporary error', async () => {
    const { body, requests, retries } = await fetchFrom(
      [503],
      [429, { 'retry-after': '0' }],
      [200],
    );
    expect(await body).toBe('the answer');
    expect(requests).toHaveLength(3);
    expect(retries).toEqual(['it answers with status 503.', 'it answers with status 429.']);
  });

  it.each<[string, Answer, string]>([
    ['a key that is refused', [401], 'Check THE_KEY'],
    ['a device that is not there', [404], 'Check --device'],
    [
      'an answer that points elsewhere',
      [302, { location: '/?elsewhere' }],
      'which is not followed',
    ],
  ])('is not repeated after %s', async (_, answer, hint) => {
    const { body, requests } = await fetchFrom(answer, [200]);
    const error = (await body.catch((refusal) => refusal)) as PullError;
    expect(error).toBeInstanceOf(PullError);
    expect(error.hint).toContain(hint);
    expect(error.message).not.toContain('secret');
    expect(requests).toEqual(['/?key=secret']);
  });
});
