import { readFileSync } from 'node:fs';
import type { Catalog } from '../../mcp/catalog.ts';

export const readCatalog = (): Catalog =>
  JSON.parse(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8')) as Catalog;
