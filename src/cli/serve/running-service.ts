import { readFileSync } from 'node:fs';
import { operationsByName } from '../../../tools/index.ts';
import type { AllowedHosts } from '../../http/admission/dns-rebinding-guard.ts';
import { ServiceShares } from '../../http/admission/service-shares.ts';
import { createApp } from '../../http/app.ts';
import type { HttpLimits } from '../../http/http-limits.ts';
import type { OAuthOptions, OAuthResource } from '../../http/oauth/oauth-resource.ts';
import { pageAccess } from '../../http/page/page-access.ts';
import { PageEvents } from '../../http/page/page-events.ts';
import { type HttpServer, serveApp } from '../../http/server.ts';
import { storeForClients } from '../../http/store-for-clients.ts';
import { McpOverHttp } from '../../mcp/http/http-handler.ts';
import { SPOKEN_REVISIONS } from '../../mcp/protocol.ts';
import type { loadMapFolder } from '../ingest/map-options.ts';
import type { Log } from '../process/log.ts';
import { readCatalog } from '../process/request-handlers.ts';
import { type Settings, storeKind } from '../process/settings.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { ServiceParts } from './service-parts.ts';

export interface OAuthSettings extends Pick<OAuthOptions, 'audience' | 'preset'> {
  /** Null if access tokens are not accepted. */
  readonly issuer: URL | null;
  /** If null, the address that the service listens on. */
  readonly publicUrl: URL | null;
}

interface ServiceOptions extends Omit<AllowedHosts, 'listenHost'> {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  readonly trustedProxies: readonly string[];
  readonly oauth: OAuthSettings;
  readonly maps: Awaited<ReturnType<typeof loadMapFolder>>;
}

export interface RunningService {
  readonly server: HttpServer;
  readonly mcp: McpOverHttp;
  readonly events: PageEvents;
}

/** The address by which clients reach the service: the configured one, else where it listens. */
class PublicAddress {
  #url: URL | null;

  constructor(configured: URL | null) {
    this.#url = configured;
  }

  /** Null until the service listens. */
  get url(): URL | null {
    return this.#url;
  }

  /** For requests, which arrive only once the service listens. */
  get requiredUrl(): URL {
    if (this.#url === null) throw new Error('The service does not listen yet');
    return this.#url;
  }

  listenOn(url: URL): void {
    this.#url ??= url;
  }
}

/** Serves REST, MCP and the page on one port. */
export async function startService(
  options: ServiceOptions,
  { db, clock, lang, toolFilter }: Settings,
  { store, observer, keyUses, sessionUses, reads, jobs }: ServiceParts,
  log: Log,
  resources: ResourceStack,
): Promise<RunningService> {
  const { publicUrl } = options.oauth;
  const address = new PublicAddress(publicUrl);
  const oauth = await openOAuthIfConfigured(options.oauth, address, log);
  if (oauth) resources.add(oauth);
  const allowedHosts = allowedHostsOf(options);

  const shared = {
    store: storeForClients(store, log.unexpectedError),
    clock,
    lang,
    report: log.unexpectedError,
    onReadings: jobs.evaluateAlerts,
    evaluateAlerts: jobs.evaluateAlertsInWrite,
    pageUrl: () => address.url,
    storeKind: storeKind(db),
    reads,
    observer,
  };
  const mcp = new McpOverHttp({ ...shared, catalog: readCatalog(), toolFilter });
  const events = new PageEvents(shared.store);
  const onSessionUse = sessionUses.record;
  const access = pageAccess({ allowedHosts, publicUrl, clock, onSessionUse });

  const shares = new ServiceShares(options.limits, options.trustedProxies);
  const app = createApp({
    ...shared,
    shares,
    operations: operationsByName,
    limits: options.limits,
    maps: options.maps,
    onKeyUse: keyUses.record,
    oauth,
    openApiDocument: builtFile('openapi.json'),
    mcp: {
      handler: mcp,
      allowedHosts,
      card: {
        identity: JSON.parse(builtFile('server-identity.json')),
        revisions: SPOKEN_REVISIONS,
        publicUrl: () => address.requiredUrl,
      },
    },
    page: { folder: new URL('./', import.meta.url), access, events },
    apiPage: new URL('./api-page/', import.meta.url),
  });
  const server = await serveApp(app, { ...options, shares });
  address.listenOn(new URL(server.url));

  return { server, mcp, events };
}

const builtFile = (name: string): string =>
  readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');

function allowedHostsOf({ host, allowedHosts, allowedOrigins, oauth }: ServiceOptions) {
  const { publicUrl } = oauth;
  const names = publicUrl ? [...allowedHosts, publicUrl.host] : allowedHosts;
  return { listenHost: host, allowedHosts: names, allowedOrigins } satisfies AllowedHosts;
}

async function openOAuthIfConfigured(
  { issuer, audience, preset }: OAuthSettings,
  address: PublicAddress,
  log: Log,
): Promise<OAuthResource | null> {
  if (issuer === null) return null;
  const module = await import('../../http/oauth/oauth-resource.ts');
  return new module.OAuthResource(
    { issuer, audience, preset, publicUrl: () => address.requiredUrl },
    (reason) =>
      log.warn({ issuer: issuer.href }, `the identity provider cannot be used: ${reason}`),
  );
}
