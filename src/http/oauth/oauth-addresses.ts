import { keyNeededError } from '../../service/keys/api-keys.ts';
import { jsonReply } from '../reply.ts';
import type { Route } from '../router.ts';
import type { OAuthResource } from './oauth-resource.ts';

/**
 * MCP clients look for OAuth documents at the root, and with /mcp before or after the well-known
 * path.
 */
const DOCUMENT_PATHS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
].flatMap((path) => [path, `${path}/*`, `/mcp${path}`]);

/** The DOCUMENT_PATHS where a service with an issuer describes itself as a resource. */
const RESOURCE_PATHS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
];

/** Where clients register or sign in if they find no document. */
const SIGN_IN_PATHS = ['/register', '/authorize', '/token'];

/**
 * Some clients show `error_description` (RFC 6749, which allows no double quotes in it), others
 * `message`.
 */
const NO_OAUTH = {
  error: 'access_denied',
  error_description: `There is no OAuth sign-in here. ${keyNeededError().hint}`.replaceAll(
    '"',
    "'",
  ),
  message: 'An API key is needed: "acequia keys create --preset assistant" makes one.',
};

function signInElsewhere(issuer: URL) {
  const message = `Sign in at ${issuer.href}: this service has no sign-in of its own.`;
  return { error: 'access_denied', error_description: message, message };
}

type Routes = [path: string, methods: Record<string, Route>][];

/** After a 401, MCP clients request these paths and show the answer instead of the 401. */
export function oauthRoutes(oauth: OAuthResource | null): Routes {
  const refusal = oauth ? signInElsewhere(oauth.issuerUrl) : NO_OAUTH;

  const refusalRoutes = (status: number, paths: readonly string[]): Routes => {
    const route: Route = { operation: null, handler: async () => jsonReply(status, refusal) };
    return paths.map((path) => [path, { GET: route, POST: route }]);
  };

  const signInRoutes = refusalRoutes(400, SIGN_IN_PATHS);
  if (oauth === null) return [...refusalRoutes(404, DOCUMENT_PATHS), ...signInRoutes];

  const metadataRoute: Route = {
    operation: null,
    handler: async () => jsonReply(200, await oauth.metadata()),
  };
  const otherPaths = DOCUMENT_PATHS.filter((path) => !RESOURCE_PATHS.includes(path));
  return [
    ...RESOURCE_PATHS.map((path): Routes[number] => [path, { GET: metadataRoute }]),
    ...refusalRoutes(404, otherPaths),
    ...signInRoutes,
  ];
}
