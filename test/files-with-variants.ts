/**
 * Tests of the program with variants that deep runs alone have: more surfaces, clients, replies and
 * gestures.
 */
export const FILES_WITH_VARIANTS: readonly string[] = [
  'advice/moisture-chart',
  'advice/recorded/recorded-answers',
  'changes/undo',
  'company/company-isolation',
  'ingest/devices',
  'ingest/pull',
  'mail/outbox',
  'mcp/apps',
  'mcp/malformed-replies',
  'mcp/skills',
  'mcp/toolsets',
  'mcp/waiting/cancelled-writes',
  'oauth/options',
  'observe/traces',
  'page/device/device',
  'page/probe-chart',
  'page/push',
  'page/sign-in',
  'rest/shared-answers',
  'surface-parity',
].map((name) => `test/acceptance/${name}.test.ts`);
