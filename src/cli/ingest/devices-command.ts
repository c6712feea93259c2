import { type Command, InvalidArgumentError } from 'commander';
import { parseDepths } from '../../language/words/depths.ts';
import { addCommonOptions, readSettings } from '../process/settings.ts';

export function addDeviceCommands(ingest: Command): void {
  addCommonOptions(ingest.command('devices'))
    .description(
      'list the devices that send readings; one that is not assigned yet is shown with its last payload',
    )
    .option('--company <name>', 'company of the devices, when the store holds several: name or id')
    .option('--json', 'print JSON')
    .action(async (options, command: Command) => {
      const { runDevices } = await import('./devices-run.ts');
      process.exitCode = await runDevices(
        options,
        readSettings(command, { allowsToolFilter: false }),
      );
    });

  addCommonOptions(ingest.command('assign'))
    .description('assign a device to a module, and write the readings that it has already sent')
    .argument('<device>', 'its EUI or name, as "acequia ingest devices" lists it')
    .argument('<module>', 'name or id of a module')
    .argument('[depths...]', 'depths of its sensors in cm, from the top', parseDepthsOption)
    .option(
      '--fields <texts>',
      'what its fields measure where no preset knows them: "soil_moist = moisture 20 cm %"',
    )
    .option('--replaces <device>', 'the device that measured there until now')
    .option(
      '--since <time>',
      'from when its readings count (default: all that it sent, or from now if it was assigned before)',
    )
    .option('--company <name>', 'company of the module, when the store holds several: name or id')
    .action(
      async (
        device: string,
        module: string,
        depths: number[] | undefined,
        options,
        command: Command,
      ) => {
        const { runAssign } = await import('./devices-run.ts');
        const settings = readSettings(command, { allowsToolFilter: false });
        process.exitCode = await runAssign(
          {
            device,
            module,
            depths: depths ?? [],
            fields: options.fields === undefined ? undefined : [options.fields],
            replaces: options.replaces,
            since: options.since,
          },
          options,
          settings,
        );
      },
    );
}

function parseDepthsOption(text: string, previous: readonly number[] = []): number[] {
  const parsed = parseDepths(text);
  if (!parsed.ok || parsed.value.length === 0)
    throw new InvalidArgumentError('Give depths in cm, such as 30 or 10 20 30.');
  return [...previous, ...parsed.value];
}
