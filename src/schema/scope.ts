export const SCOPES = [
  'irrigation:write',
  'alerts:write',
  'annotations:write',
  'annotations:read',
  'readings:read',
  'ingest:write',
  'soil:write',
  'agronomy:read',
  'catalog:read',
  'parcels:read',
  'company:read',
  'company:write',
  'users:admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The right to send payloads of one preset or map, and nothing else. */
export type WebhookScope = `webhook:${string}`;
export const webhookScope = (name: string): WebhookScope => `webhook:${name}`;
export const isWebhookScope = (scope: string): scope is WebhookScope =>
  scope.startsWith('webhook:');
export const webhookOf = (scope: WebhookScope): string => scope.slice('webhook:'.length);

export type KeyScope = Scope | WebhookScope;
export const ROLES = ['OWNER', 'MANAGER', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];
