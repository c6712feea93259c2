import { keyNeeded } from '../service/keys/api-keys.ts';
import type { HttpReply } from './response-headers.ts';
import type { Route } from './router.ts';

/** MCP clients look for OAuth documents at the root, and with /mcp before or after the well-known path. */
const METADATA_PATHS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
].flatMap((path) => [path, `${path}/*`, `/mcp${path}`]);

/** Where clients register or sign in if they find no document. */
const SIGN_IN_PATHS = ['/register', '/authorize', '/token'];

/** Some clients show `error_description` (RFC 6749, which allows no double quotes in it), others `message`. */
const NO_OAUTH = JSON.stringify({
  error: 'access_denied',
  error_description: `There is no OAuth sign-in here. ${keyNeeded().hint}`.replaceAll('"', "'"),
  message: 'An API key is needed: "acequia keys create" makes one.',
});

/** After a 401, MCP clients look here, and show this answer instead of the 401. */
export function oauthRoutes(): [path: string, methods: Record<string, Route>][] {
  const routesWith = (status: number, paths: readonly string[]): [string, Record<string, Route>][] => {
    const reply: HttpReply = { status, type: 'application/json', content: NO_OAUTH };
    const route: Route = { operation: null, handler: async () => reply };
    return paths.map((path) => [path, { GET: route, POST: route }]);
  };
  return [...routesWith(404, METADATA_PATHS), ...routesWith(400, SIGN_IN_PATHS)];
}
