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
export const ROLES = ['OWNER', 'MANAGER', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];
