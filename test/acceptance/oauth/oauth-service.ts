import type { JWTPayload } from 'jose';
import { afterFile, type afterTest } from '../../cleanup.ts';
import { importFarmFile } from '../../imported-data.ts';
import { newLocation } from '../../stores/stores.ts';
import { mcpUrl } from '../mcp/http/mcp-http-client.ts';
import { type RestService, startServing } from '../rest-service.ts';
import type { TestIssuer } from './issuer.ts';

const member = (email: string, role: string) => ({ email, name: email.split('@')[0]!, role });

const farm = (name: string, imei: string, uid: string, users: object[]) => ({
  company: { name, countryCode: 'FR', currency: 'EUR', timezone: 'Europe/Paris' },
  users,
  parcels: [{ name: `${name} block`, type: 'olive' }],
  gateways: [{ imei, assignedAt: '2025-01-10T00:00:00Z' }],
  modules: [
    {
      uid,
      name: `${name} probe`,
      category: 'SOIL_PROBE',
      parcel: `${name} block`,
      commissionedAt: '2025-01-11T09:00:00Z',
    },
  ],
});

/** Ana owns Mas Rouge, where Vera only reads. Both farms have Bob as a MANAGER. */
export async function storeWithMembers(after: typeof afterTest = afterFile): Promise<string> {
  const { db, remove } = await newLocation();
  after(remove);
  const bob = member('bob@example.org', 'MANAGER');
  const red = [member('ana@example.org', 'OWNER'), member('vera@example.org', 'VIEWER'), bob];
  await importFarmFile(db, farm('Mas Rouge', '356938035643809', 'A1', red));
  await importFarmFile(
    db,
    farm('Mas Bleu', '356938035643817', 'B1', [member('cleo@example.org', 'OWNER'), bob]),
  );
  return db;
}

export interface OAuthService extends RestService {
  readonly mcp: URL;
  /** The claims of a valid token of Ana, some of them replaced; undefined leaves one out. */
  claims(other?: Record<string, unknown>): JWTPayload;
}

export async function serveWithOAuth(
  issuer: Pick<TestIssuer, 'url'>,
  {
    db,
    options = [],
    after = afterFile,
  }: { db?: string; options?: readonly string[]; after?: typeof afterTest } = {},
): Promise<OAuthService> {
  const store = db ?? (await storeWithMembers(after));
  const service = await startServing(store, ['--oauth-issuer', issuer.url, ...options], { after });
  const mcp = mcpUrl(service.base);
  const now = Math.floor(Date.now() / 1000);
  return {
    ...service,
    mcp,
    claims: (other = {}) => ({
      iss: issuer.url,
      aud: mcp.href,
      sub: 'ana',
      iat: now,
      exp: now + 300,
      email: 'ana@example.org',
      email_verified: true,
      scope: 'acequia:everything',
      ...other,
    }),
  };
}
