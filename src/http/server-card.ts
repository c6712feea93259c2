import type { HttpReply } from './reply.ts';
import { type Route, type RouteHandler, staticReply } from './router.ts';

/** The description that every installation of the program gives, from package.json. */
export interface ServerIdentity {
  /** Reverse DNS, a slash and a name. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Once the program is published. */
  readonly websiteUrl?: string;
  readonly repository?: { readonly url: string; readonly source: string };
}

export interface ServerCardOptions {
  readonly identity: ServerIdentity;
  /** Revisions of the protocol that /mcp speaks, the newest first. */
  readonly revisions: readonly string[];
  /** The address by which clients reach the service; available once it listens. */
  readonly publicUrl: () => URL;
}

const CARD_PATH = '/mcp/server-card';
/** The second path is the one that drafts of the extension named. */
const CATALOG_PATHS = ['/.well-known/ai-catalog.json', '/.well-known/mcp/catalog.json'];

const CARD_TYPE = 'application/mcp-server-card+json';
const CATALOG_TYPE = 'application/ai-catalog+json';

/** Anyone may read the card, also a page of another site: it says nothing of a farm. */
const PUBLIC_HEADERS = {
  'Cache-Control': 'public, max-age=3600',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': 'Content-Type, If-None-Match',
  'Access-Control-Expose-Headers': 'ETag',
};

/**
 * The server card, and the catalog by which clients that know only the domain find it. Neither
 * needs a key.
 *
 * @param issuer Where people sign in; null if the service accepts only its own keys.
 *
 * Source: SEP-2127 with the documents of its extension (schema v1).
 */
export function serverCardRoutes(
  options: ServerCardOptions,
  issuer: URL | null,
): [path: string, methods: Record<string, Route>][] {
  const card = publicDocument(() => serverCard(options, issuer), CARD_TYPE);
  const catalog = publicDocument(() => serverCatalog(options), CATALOG_TYPE);

  return [
    [CARD_PATH, card],
    ...CATALOG_PATHS.map((path): [string, typeof card] => [path, catalog]),
  ];
}

/**
 * `write` is called at each request, because the address is known only once the service listens.
 */
function publicDocument(write: () => unknown, type: string): Record<string, Route> {
  const read: RouteHandler = (...request) =>
    staticReply(JSON.stringify(write()), type, PUBLIC_HEADERS)(...request);
  /** Browsers ask before they send If-None-Match. */
  const preflight: RouteHandler = async (headers): Promise<HttpReply> => {
    Object.assign(headers, PUBLIC_HEADERS);
    return { status: 204, type: null, content: null };
  };

  return {
    GET: { operation: null, handler: read },
    OPTIONS: { operation: null, handler: preflight },
  };
}

function serverCard({ identity, revisions, publicUrl }: ServerCardOptions, issuer: URL | null) {
  const addressOf = (path: string): string => new URL(path, publicUrl()).href;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...identity,
    icons: [
      { src: addressOf('/icon-512.png'), mimeType: 'image/png', sizes: ['512x512'] },
      { src: addressOf('/icon.svg'), mimeType: 'image/svg+xml', sizes: ['any'] },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: addressOf('/mcp'),
        supportedProtocolVersions: revisions,
        headers: [keyHeader(issuer)],
      },
    ],
  };
}

const keyHeader = (issuer: URL | null) => ({
  name: 'Authorization',
  description:
    issuer === null
      ? 'A key of this service. Its operator makes one with: acequia keys create --preset assistant'
      : `Leave it out to sign in at ${issuer.href}; programs send a key of this service.`,
  value: 'Bearer {api_key}',
  variables: {
    api_key: {
      description: 'The key; it begins with acequia_.',
      isRequired: issuer === null,
      isSecret: true,
    },
  },
  isRequired: issuer === null,
  isSecret: true,
});

function serverCatalog({ identity, publicUrl }: ServerCardOptions) {
  const url = publicUrl();
  const shortName = identity.name.split('/').at(-1);
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${url.hostname}:mcp:${shortName}`,
        type: CARD_TYPE,
        url: new URL(CARD_PATH, url).href,
      },
    ],
  };
}
