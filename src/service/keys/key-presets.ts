import { SCOPES, type Scope } from '../../schema/scope.ts';

const READ_SCOPES = SCOPES.filter((scope) => scope.endsWith(':read'));

/** What people make keys for. */
export const KEY_PRESETS = {
  viewer: READ_SCOPES,
  assistant: [...READ_SCOPES, 'irrigation:write', 'alerts:write', 'annotations:write', 'soil:write'],
  ingest: ['ingest:write'],
  everything: SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

export type KeyPreset = keyof typeof KEY_PRESETS;
export const KEY_PRESET_NAMES = Object.keys(KEY_PRESETS) as KeyPreset[];
