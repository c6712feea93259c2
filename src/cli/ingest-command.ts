import { type Command, Option } from 'commander';
import { wholeSettingsOf, withSettings } from './settings.ts';

/** `acequia ingest`: what brings readings in for as long as it runs. */
export function addIngest(program: Command): void {
  const ingest = withSettings(program.command('ingest')).description('bring in readings as they come');

  withSettings(ingest.command('mqtt'))
    .description('bring in what probes and gateways send to a broker, into the store or, with --remote, a service')
    .addOption(
      new Option('--broker <url>', 'the broker, such as mqtts://broker.example.org:8883')
        .env('ACEQUIA_MQTT_URL')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--map <file>', 'JSON that says which topics and payloads mean what')
        .env('ACEQUIA_MQTT_MAP')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--client-id <name>', 'name of the session that the broker keeps (default: one for this store)').env(
        'ACEQUIA_MQTT_CLIENT_ID',
      ),
    )
    .option('--company <name>', 'company of the readings, where the store holds several: name or id')
    .action(async (options, command: Command) => {
      const { runIngestMqtt } = await import('./ingest-mqtt.ts');
      process.exitCode = await runIngestMqtt(options, wholeSettingsOf(command));
    });
}
