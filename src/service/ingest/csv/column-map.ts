import { FileError } from '../../../language/ingest/file-error.ts';
import { type ColumnMap, type MappedDepth, mapKey } from './column-meanings.ts';
import { type ColumnMeaning, columnMeaning, depthInCm } from './column-names.ts';

/**
 * Parses "NAME=MEANING; …", whose names are those of the header, in any case. `field` is the option
 * that errors name.
 */
export function parseColumnMap(text: string, field: string): ColumnMap {
  const map = new Map<string, ColumnMeaning | MappedDepth | null>();
  for (const entry of text.split(';').filter((part) => part.trim() !== '')) {
    // A name may have an equals sign itself.
    const equals = entry.lastIndexOf('=');
    const name = mapKey(entry.slice(0, Math.max(equals, 0)));
    const target = entry.slice(equals + 1).trim();
    const isIgnored = /^ignore$/i.test(target);
    const meaning = isIgnored ? null : (mappedDepth(target) ?? columnMeaning(target));

    if (name === '' || (meaning === null && !isIgnored))
      throw new FileError(({ fileFaults }) => fileFaults.noMeaning(entry, field), { field });

    map.set(name, meaning);
  }

  return map;
}

function mappedDepth(target: string): MappedDepth | null {
  const depth = depthInCm(target);
  return depth === null ? null : { kind: 'at_depth', depth };
}
