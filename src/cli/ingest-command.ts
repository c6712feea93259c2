import { type Command, Option } from 'commander';
import { addCommonOptions, readUnfilteredSettings } from './process/settings.ts';

const BROKER = new Option('--broker <url>', 'the broker, such as mqtts://broker.example.org:8883')
  .env('ACEQUIA_MQTT_URL')
  .makeOptionMandatory();
const MAP = new Option('--map <file>', 'JSON that says which topics and payloads mean what')
  .env('ACEQUIA_MQTT_MAP')
  .makeOptionMandatory();
const CLIENT_ID = new Option(
  '--client-id <name>',
  'name of the session that the broker keeps (default: one for this store)',
).env('ACEQUIA_MQTT_CLIENT_ID');

/** The environment variables that options of `acequia ingest` are read from. */
export const INGEST_VARIABLES: readonly string[] = [BROKER, MAP, CLIENT_ID].flatMap(({ envVar }) => envVar ?? []);

/** `acequia ingest`: what brings readings in for as long as it runs. */
export function addIngestCommand(program: Command): void {
  const ingest = addCommonOptions(program.command('ingest')).description('bring in readings as they come');

  addCommonOptions(ingest.command('mqtt'))
    .description('bring in what probes and gateways send to a broker, into the store or, with --remote, a service')
    .addOption(BROKER)
    .addOption(MAP)
    .addOption(CLIENT_ID)
    .option('--company <name>', 'company of the readings, where the store holds several: name or id')
    .action(async (options, command: Command) => {
      const { runIngestMqtt } = await import('./ingest/mqtt-ingest-run.ts');
      process.exitCode = await runIngestMqtt(options, readUnfilteredSettings(command));
    });
}
