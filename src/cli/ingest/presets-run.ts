import { allPresets, findPreset, mapOfPresets } from '../../service/ingest/payload/presets.ts';
import { EXIT, reportRefusal } from '../process/command.ts';
import { print } from '../process/output.ts';

export function runPresets({ print: name }: { readonly print?: string }): number {
  try {
    if (name === undefined) print(listPresets());
    else print(`${JSON.stringify(mapOfPresets([findPreset(name)], undefined), null, 2)}\n`);
    return EXIT.done;
  } catch (error) {
    return reportRefusal(error);
  }
}

function listPresets(): string {
  const width = Math.max(...allPresets().map(({ name }) => name.length));
  return allPresets()
    .map(({ name, reads }) => `${name.padEnd(width)}  ${reads}\n`)
    .join('');
}
