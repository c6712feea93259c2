import { type Command, Option } from 'commander';
import { addCommonOptions, readUnfilteredSettings } from './process/settings.ts';

export function addIngestCommand(program: Command): void {
  const ingest = addCommonOptions(program.command('ingest')).description('store readings as they arrive');

  addCommonOptions(ingest.command('mqtt'))
    .description('store what probes and gateways publish on a broker, locally or, with --remote, in a service')
    .addOption(
      new Option('--broker <url>', 'the broker, such as mqtts://broker.example.org:8883')
        .env('ACEQUIA_MQTT_URL')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--map <file>', 'JSON file that maps topics and payloads to readings')
        .env('ACEQUIA_MQTT_MAP')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--client-id <name>', 'name of the session at the broker (default: one for this store)').env(
        'ACEQUIA_MQTT_CLIENT_ID',
      ),
    )
    .option('--company <name>', 'company of the readings, when the store holds several: name or id')
    .action(async (options, command: Command) => {
      const { runIngestMqtt } = await import('./ingest/mqtt-ingest-run.ts');
      process.exitCode = await runIngestMqtt(options, readUnfilteredSettings(command));
    });
}
