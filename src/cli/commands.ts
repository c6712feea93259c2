import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { CSV_PROFILE_NAMES, DATE_ORDERS, PULL_PROVIDERS } from '../domain/ingest/import-options.ts';
import { CLIENT_NAMES, type ClientId } from './connect/client-files.ts';
import {
  expandHome,
  parseDurationOption,
  parseInstantOption,
  parseStoreOption,
  splitList,
} from './process/option-parsers.ts';
import {
  addCommonOptions,
  assertValidLocation,
  optionVariables,
  readSettingSources,
  readSettings,
  readUnfilteredSettings,
  readUnfilteredStoreSettings,
} from './process/settings.ts';

export function addCallCommand(program: Command): void {
  addCommonOptions(program.command('call'))
    .description(
      'run one tool: acequia call log_watering module="North 1" startedAt="today 6:00" …',
    )
    .argument('[tool]', 'name of the tool (without it, all tools are listed)')
    .argument('[arguments...]', 'name=value, name:=JSON, or - for a JSON object on standard input')
    .option('--json', 'print the structured answer as JSON')
    .option('--out <file>', 'file for a picture (PNG)', expandHome)
    // Commander does not know the arguments of a tool, so the help is built here.
    .helpOption(false)
    .option('-h, --help', 'show the arguments of the tool; without a tool, this help')
    .action(
      async (tool: string | undefined, words: string[], { help, ...options }, command: Command) => {
        if (help && tool === undefined) return command.help();
        const { listTools, runCall, showToolHelp } = await import('./tool-commands/call-run.ts');
        const settings = readSettings(command);
        if (tool === undefined) process.exitCode = await listTools(settings);
        else if (help) process.exitCode = await showToolHelp(tool);
        else process.exitCode = await runCall(tool, words, options, settings);
      },
    );
}

export function addChangesCommand(program: Command): void {
  addCommonOptions(program.command('changes'))
    .description('list who changed what and when, newest first, with the values before and after')
    .option('--limit <count>', 'how many, up to 200', Number, 20)
    .option('--json', 'print the structured answer as JSON')
    .action(async (options, command: Command) => {
      const { runChanges } = await import('./tool-commands/changes-run.ts');
      process.exitCode = await runChanges(options, readSettings(command));
    });
}

export function addChartCommand(program: Command): void {
  addCommonOptions(program.command('chart'))
    .description('draw the moisture of a probe as a PNG file')
    .requiredOption('--module <name>', 'probe: name or id')
    .option('--start <time>', 'start of the period (default: 7 days before its end)')
    .option('--end <time>', 'end of the period (default: now)')
    .option(
      '--view <view>',
      'summary (one weighted curve) or depths (one curve each) (default: summary)',
    )
    .option('--theme <theme>', 'light or dark (default: light)')
    .option('--out <file>', 'file to write', expandHome, 'moisture.png')
    .action(async (options, command: Command) => {
      const { runChart } = await import('./tool-commands/call-run.ts');
      process.exitCode = await runChart(options, readSettings(command));
    });
}

/** Its settings are written into the entry with which the assistant starts Acequia. */
export function addConnectCommand(program: Command): void {
  addCommonOptions(program.command('connect'))
    .description('add this server to the configuration of an assistant, after showing the change')
    .addArgument(new Argument('<client>', 'the assistant').choices(Object.keys(CLIENT_NAMES)))
    .option('--project', 'use the file of this folder, not the user’s')
    .option('--remove', 'remove the entry')
    .option('--yes', 'write without asking')
    .option('--dry-run', 'show the change and write nothing')
    .option('--print', 'print the entry and touch no file')
    .action(async (client: ClientId, options, command: Command) => {
      const { runConnect } = await import('./connect/connect-run.ts');
      process.exitCode = await runConnect(
        client,
        options,
        readSettings(command),
        readSettingSources(command),
      );
    });
}

export function addCopyCommand(program: Command): void {
  addCommonOptions(program.command('copy'))
    .description(
      'copy a whole store to another file or database and check the copy; run it again to resume',
    )
    .addOption(
      new Option(
        '--from <place>',
        'the store to copy: a file or a postgres:// URL (default: the value of --db)',
      )
        .env('ACEQUIA_COPY_FROM')
        .argParser(parseStoreOption),
    )
    .addOption(
      new Option('--to <place>', 'the new store: a file to make, or the URL of an empty database')
        .env('ACEQUIA_COPY_TO')
        .argParser(parseStoreOption)
        .makeOptionMandatory(),
    )
    .option('--check', 'copy nothing; compare the rows of every table of the two stores')
    .action(async (options: { from?: string; to: string; check?: boolean }, command: Command) => {
      const { runCopy } = await import('./store-commands/copy-run.ts');
      const { from, to, check } = options;
      const settings = readUnfilteredStoreSettings(command);
      const locations = { from: from ?? settings.db, to };
      assertValidLocation(command, '--from or ACEQUIA_COPY_FROM', locations.from);
      assertValidLocation(command, '--to or ACEQUIA_COPY_TO', locations.to);
      process.exitCode = await runCopy(locations, { isCheck: check ?? false }, settings);
    });
}

export function addDemoCommand(program: Command): void {
  addCommonOptions(program.command('demo'))
    .description('make a demo farm and play a short conversation with it')
    .option('--full', 'play everything: schedules, clock changes, an alert by mail, a morning')
    .option(
      '--serve',
      'show the farm on the live page afterwards, until interrupted (default: on a terminal)',
    )
    .option(
      '--through-rest',
      'serve the farm over REST and hold the conversation through that service',
    )
    .action(async (options, command: Command) => {
      const { runDemo } = await import('../../demo/demo-run.ts');
      process.exitCode = await runDemo(options, readUnfilteredStoreSettings(command));
    });
}

export function addDoctorCommand(program: Command): void {
  addCommonOptions(program.command('doctor'))
    .description(
      'check configuration, store, clock, zones, mail, background jobs and assistants, and say what to fix',
    )
    .option('--json', 'print the findings as JSON')
    .action(async (options, command: Command) => {
      const { runDoctor } = await import('./doctor/doctor-run.ts');
      const configuration = {
        sources: readSettingSources(command),
        variables: optionVariables(program),
      };
      process.exitCode = await runDoctor(options, readSettings(command), configuration);
    });
}

export function addImportCommand(program: Command): void {
  addCommonOptions(program.command('import'))
    .description('import farm files (.json) and readings (.csv; - for standard input)')
    .argument('[files...]', 'files, imported in this order')
    .option('--module <name>', 'probe of a wide readings file: name, uid or id')
    .option('--company <name>', 'company of the readings, when the store holds several: name or id')
    .option('--timezone <zone>', 'IANA zone of times without an offset (default: the company’s)')
    .option(
      '--map <column=meaning>',
      'a column that is not recognised, such as "Probe A=humidity_10"; may be repeated',
      (entry: string, previous: readonly string[] = []) => [...previous, entry],
    )
    .addOption(
      new Option(
        '--profile <name>',
        'provider whose export it is (default: recognized by the header)',
      ).choices(CSV_PROFILE_NAMES),
    )
    .addOption(
      new Option('--dates <order>', 'order of dates such as 03/04/2026').choices(DATE_ORDERS),
    )
    .option('--rejects <file>', 'write the rejected rows to this file', expandHome)
    .option('--new-company', 'let a farm file add a company to a store that holds another one')
    .option('--print-schema', 'print the JSON Schema of a farm file')
    .action(async (files: string[], options, command: Command) => {
      const { runImport } = await import('./store-commands/import-run.ts');
      process.exitCode = await runImport(
        files.map(expandHome),
        options,
        readUnfilteredStoreSettings(command),
      );
    });
}

export function addIngestCommand(program: Command): void {
  const ingest = addCommonOptions(program.command('ingest')).description(
    'store readings as they arrive',
  );

  addMapOptions(addCommonOptions(ingest.command('mqtt')))
    .description(
      'store what probes and gateways publish on a broker, locally or, with --remote, in a service',
    )
    .addOption(
      new Option(
        '--broker <url>',
        'the broker, such as mqtts://broker.example.org:8883 (default: that of the preset)',
      ).env('ACEQUIA_MQTT_URL'),
    )
    .addOption(
      new Option(
        '--client-id <name>',
        'name of the session at the broker (default: one for this store)',
      ).env('ACEQUIA_MQTT_CLIENT_ID'),
    )
    .option('--company <name>', 'company of the readings, when the store holds several: name or id')
    .action(async (options, command: Command) => {
      const { runIngestMqtt } = await import('./ingest/mqtt-ingest-run.ts');
      process.exitCode = await runIngestMqtt(options, readUnfilteredSettings(command));
    });

  ingest
    .command('presets')
    .description('list the devices and networks whose payloads are known, one per line')
    .option('--print <name>', 'print the map of a preset, as a start for one of your own')
    .action(async (options) => {
      const { runPresets } = await import('./ingest/payload-run.ts');
      process.exitCode = runPresets(options);
    });

  addMapOptions(ingest.command('try'))
    .description('show what a payload becomes, without writing anything')
    .argument('<payload>', 'file with the payload of one message; - for standard input')
    .addOption(
      new Option('--clock <instant>', 'when it arrives (default: now)').argParser(
        parseInstantOption,
      ),
    )
    .action(async (payload: string, options) => {
      const { runIngestTry } = await import('./ingest/payload-run.ts');
      process.exitCode = await runIngestTry(payload, options);
    });
  addPullCommand(ingest);
  addDeviceCommands(ingest);
}

function addPullCommand(ingest: Command): void {
  addCommonOptions(ingest.command('pull'))
    .description(
      'fetch readings from the cloud of a provider, once or again and again; keys come from the environment',
    )
    .addOption(
      new Option('--profile <name>', 'the provider').choices(PULL_PROVIDERS).makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--device <name>',
        'logger (IrriMAX), serial number (ZENTRA) or station (Davis); may be repeated',
      )
        .argParser((name: string, previous: readonly string[] = []) => [
          ...previous,
          ...splitList(name),
        ])
        .makeOptionMandatory(),
    )
    .option(
      '--every <span>',
      'fetch again after this span, such as 15m (default: only once)',
      parseDurationOption,
    )
    .option(
      '--since <instant>',
      'start of the readings of a device never pulled before (default: 7 days ago); without --every, of any device',
      parseInstantOption,
    )
    .option('--host <host>', 'another host of the provider, such as zentracloud.eu')
    .option('--company <name>', 'company of the readings, when the store holds several: name or id')
    .action(async (options, command: Command) => {
      const { runIngestPull } = await import('./ingest/pull-run.ts');
      process.exitCode = await runIngestPull(options, readUnfilteredStoreSettings(command));
    });
}

function addDeviceCommands(ingest: Command): void {
  addCommonOptions(ingest.command('devices'))
    .description(
      'list the devices that send, and those that are not assigned yet with their last payload',
    )
    .option('--company <name>', 'company of the devices, when the store holds several: name or id')
    .option('--json', 'print JSON')
    .action(async (options, command: Command) => {
      const { runDevices } = await import('./ingest/devices-run.ts');
      process.exitCode = await runDevices(options, readUnfilteredSettings(command));
    });

  addCommonOptions(ingest.command('assign'))
    .description('assign a device to a module; the readings that it has sent are then written')
    .argument('<device>', 'its EUI or name, as "acequia ingest devices" lists it')
    .argument('<module>', 'name or id of a module')
    .argument('[depths...]', 'depths of its sensors in cm, from the top', parseDepths)
    .option('--replaces <device>', 'the device that measured there until now')
    .option('--company <name>', 'company of the module, when the store holds several: name or id')
    .action(
      async (
        device: string,
        module: string,
        depths: number[] | undefined,
        options,
        command: Command,
      ) => {
        const { runAssign } = await import('./ingest/devices-run.ts');
        const settings = readUnfilteredSettings(command);
        process.exitCode = await runAssign(
          { device, module, depths: depths ?? [], replaces: options.replaces },
          options,
          settings,
        );
      },
    );
}

function parseDepths(text: string, previous: readonly number[] = []): number[] {
  const depths = splitList(text).map((part) => Number(part.replace(/ *cm$/i, '')));
  if (depths.length === 0 || !depths.every((depth) => depth >= 0 && depth <= 10_000))
    throw new InvalidArgumentError('Give depths in cm, such as 30 or 10 20 30.');
  return [...previous, ...depths];
}

const addMapOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--preset <name>', 'what sends, such as ttn/dragino-lse01; may be repeated')
        .env('ACEQUIA_MQTT_PRESET')
        .argParser((name: string, previous: readonly string[] = []) => [
          ...previous,
          ...splitList(name),
        ])
        .conflicts('map'),
    )
    .addOption(
      new Option('--map <file>', 'JSON file that maps topics and payloads to readings')
        .env('ACEQUIA_MQTT_MAP')
        .argParser(expandHome),
    )
    .addOption(
      new Option('--devices <file>', 'JSON file that assigns devices to modules and depths')
        .env('ACEQUIA_MQTT_DEVICES')
        .argParser(expandHome),
    )
    .option('--topic <topic>', 'topic of the messages, instead of that of the preset');

/** Its settings are also written into the entry of an assistant that it connects. */
export function addInitCommand(program: Command): void {
  addCommonOptions(program.command('init'))
    .description('ask about your farm in the terminal, write the store, and connect an assistant')
    .action(async (_, command: Command) => {
      const { runInit } = await import('./init/init-run.ts');
      process.exitCode = await runInit(
        readUnfilteredStoreSettings(command),
        readSettingSources(command),
      );
    });
}

export function addTickCommand(program: Command): void {
  addCommonOptions(program.command('tick'))
    .description(
      'run the background jobs once (for cron): plan schedules, settle past waterings, check alerts, send mail',
    )
    .option('--until <instant>', 'step the clock to this instant', parseInstantOption)
    .option(
      '--every <span>',
      'length of a step, such as 30min, 1h or 1d (default: 1h)',
      parseDurationOption,
    )
    .option('--resend', 'retry the messages that the mail server refused')
    .action(async (options, command: Command) => {
      const { runTick } = await import('./store-commands/tick-run.ts');
      process.exitCode = await runTick(options, readUnfilteredStoreSettings(command));
    });
}
