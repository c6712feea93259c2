import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { afterTest } from '../../../cleanup.ts';
import { startIssuer } from '../../oauth/issuer.ts';
import { serveWithOAuth } from '../../oauth/oauth-service.ts';
import type { Json } from '../../program.ts';
import { sharedRestService } from '../../rest-service.ts';
import { mcpUrl } from './mcp-http-client.ts';

const service = sharedRestService();
const { version } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
);

/** Source: the schema of server cards (v1); the fields of ours alone, so that no other slips in. */
const card = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  version: z.string().max(255),
  description: z.string().min(1).max(100),
  title: z.string().min(1).max(100),
  websiteUrl: z.string().url().optional(),
  repository: z.strictObject({ url: z.string().url(), source: z.string() }).optional(),
  icons: z.array(
    z.strictObject({ src: z.string().url(), mimeType: z.string(), sizes: z.array(z.string()) }),
  ),
  remotes: z.tuple([
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string().regex(/^https?:\/\/\S+$/),
      supportedProtocolVersions: z.array(z.string()).min(1),
      headers: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          value: z.string(),
          variables: z.record(z.string(), z.unknown()),
          isRequired: z.boolean(),
          isSecret: z.literal(true),
        }),
      ),
    }),
  ]),
});

async function read(path: string, base: string, init: RequestInit = {}) {
  const response = await fetch(new URL(path, base), init);
  const text = await response.text();
  const body: Json = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

it('says without a key what the server is, where it is, and how to sign in', async () => {
  const { base } = service();
  const { status, headers, body } = await read('/mcp/server-card', base);

  expect([status, headers.get('content-type')]).toEqual([200, 'application/mcp-server-card+json']);
  expect(card.safeParse(body).error).toBeUndefined();
  expect(body.remotes[0].url).toBe(mcpUrl(base).href);
  expect(body.remotes[0].headers[0]).toMatchObject({ name: 'Authorization', isRequired: true });
});

it('names no registry and no repository before one has it', async () => {
  const { body } = await read('/mcp/server-card', service().base);
  expect(body).toMatchObject({ name: 'local/acequia', title: 'Acequia', version });
  expect(body).not.toHaveProperty('websiteUrl');
  expect(body).not.toHaveProperty('repository');
});

it('has icons that it serves', async () => {
  const { body } = await read('/mcp/server-card', service().base);
  for (const { src, mimeType } of body.icons) {
    const icon = await fetch(src);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, mimeType]);
  }
});

it('names the version and the revisions that a client then finds', async () => {
  const { base, newKey } = service();
  const { body } = await read('/mcp/server-card', base);
  const client = new Client({ name: 'finder', version: '1' });
  const headers = { Authorization: `Bearer ${await newKey()}` };
  const [remote] = body.remotes;
  await client.connect(
    new StreamableHTTPClientTransport(new URL(remote.url), { requestInit: { headers } }),
  );
  afterTest(() => client.close());

  expect(client.getServerVersion()).toMatchObject({ title: body.title, version: body.version });
  expect(remote.supportedProtocolVersions).toContain(client.getNegotiatedProtocolVersion());
});

it.each(['/.well-known/ai-catalog.json', '/.well-known/mcp/catalog.json'])(
  'leads from the domain to the card at %s',
  async (path) => {
    const { base } = service();
    const { status, headers, body } = await read(path, base);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/ai-catalog+json']);
    expect(body).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:air:127.0.0.1:mcp:acequia',
          type: 'application/mcp-server-card+json',
          url: new URL('/mcp/server-card', base).href,
        },
      ],
    });
  },
);

it('can be read by a page of any site, and kept', async () => {
  const { base } = service();
  const origin = { Origin: 'https://finder.example.org' };
  const first = await read('/mcp/server-card', base, { headers: origin });
  expect(first.headers.get('access-control-allow-origin')).toBe('*');
  expect(first.headers.get('cache-control')).toBe('public, max-age=3600');

  const asked = await read('/mcp/server-card', base, { method: 'OPTIONS', headers: origin });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-headers')).toContain('If-None-Match');

  const tag = { 'If-None-Match': first.headers.get('etag')! };
  expect((await read('/mcp/server-card', base, { headers: tag })).status).toBe(304);
});

it('names the public address and the identity provider, where people sign in without a key', async () => {
  const issuer = await startIssuer();
  const options = ['--public-url', 'https://water.example.org'];
  const { base } = await serveWithOAuth(issuer, { options, after: afterTest });
  const { body } = await read('/mcp/server-card', base);

  expect(body.remotes[0].url).toBe('https://water.example.org/mcp');
  const [header] = body.remotes[0].headers;
  expect(header.isRequired).toBe(false);
  expect(header.description).toContain(issuer.url);
  const catalog = await read('/.well-known/ai-catalog.json', base);
  expect(catalog.body.entries[0].identifier).toBe('urn:air:water.example.org:mcp:acequia');
});
