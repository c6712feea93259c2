import { type Command, Option } from 'commander';
import { parseInstantOption, parsePath, splitList } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings } from '../process/settings.ts';
import { addDeviceCommands } from './devices-command.ts';
import { addPullCommand } from './pull-command.ts';

export function addIngestCommand(program: Command): void {
  const ingest = addCommonOptions(program.command('ingest')).description(
    'store readings as they arrive',
  );

  const mqtt = addCommonOptions(ingest.command('mqtt')).description(
    'store what probes and gateways publish on a broker, in a store or, with --remote, through a service',
  );
  for (const option of mqttOptions()) mqtt.addOption(option);
  mqtt.action(async (options, command: Command) => {
    const { runIngestMqtt } = await import('./mqtt-ingest-run.ts');
    process.exitCode = await runIngestMqtt(
      options,
      readSettings(command, { allowsToolFilter: false }),
    );
  });

  ingest
    .command('presets')
    .description('list the devices and networks whose payloads are known, one per line')
    .option('--print <name>', 'print the map of a preset, as a start for one of your own')
    .action(async (options) => {
      const { runPresets } = await import('./payload-run.ts');
      process.exitCode = runPresets(options);
    });

  const tryCommand = ingest.command('try');
  for (const option of mapOptions()) tryCommand.addOption(option);
  tryCommand
    .description('show what a payload becomes, without writing anything')
    .argument('<payload>', 'file with the payload of one message; - for standard input')
    .addOption(
      new Option('--clock <instant>', 'when it arrives (default: now)').argParser(
        parseInstantOption,
      ),
    )
    .action(async (payload: string, options, command: Command) => {
      const { runIngestTry } = await import('./payload-run.ts');
      // Written before the name of the command, or set by ACEQUIA_CLOCK.
      const { clock } = command.optsWithGlobals();
      process.exitCode = await runIngestTry(payload, { clock, ...options });
    });
  addPullCommand(ingest);
  addDeviceCommands(ingest);
}

/** Each has a variable, so that a file of variables says everything about a service. */
export const mqttOptions = (): Option[] => [
  ...mapOptions(),
  new Option(
    '--broker <url>',
    'the broker, such as mqtts://broker.example.org:8883 (default: that of the preset)',
  ).env('ACEQUIA_MQTT_URL'),
  new Option(
    '--client-id <name>',
    'name of the session at the broker (default: one for this store)',
  ).env('ACEQUIA_MQTT_CLIENT_ID'),
  new Option(
    '--company <name>',
    'company of the readings, when the store holds several: name or id',
  ).env('ACEQUIA_MQTT_COMPANY'),
];

const mapOptions = (): Option[] => [
  new Option('--preset <name>', 'what sends, such as ttn/dragino-lse01; may be repeated')
    .env('ACEQUIA_MQTT_PRESET')
    .argParser((name: string, previous: readonly string[] = []) => [
      ...previous,
      ...splitList(name),
    ])
    .conflicts('map'),
  new Option('--map <file>', 'JSON file that maps topics and payloads to readings')
    .env('ACEQUIA_MQTT_MAP')
    .argParser(parsePath),
  new Option('--devices <file>', 'JSON file that assigns devices to modules and depths')
    .env('ACEQUIA_MQTT_DEVICES')
    .argParser(parsePath),
  new Option('--topic <topic>', 'topic of the messages, instead of that of the preset').env(
    'ACEQUIA_MQTT_TOPIC',
  ),
];
