import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { playStory, type StoryResult } from '../../eval/conversation.ts';
import { Farms } from '../../eval/farm.ts';
import type { ServerOptions, ToolServer } from '../../eval/mcp-server.ts';
import { recordedAssistant } from '../../eval/recorded.ts';
import type { Solution, Story } from '../../eval/story.ts';
import {
  operationForArguments,
  readToolArguments,
} from '../../src/operation/arguments/tool-arguments.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { toolsByName } from '../../tools/index.ts';
import { folderForFile } from '../temporary-places.ts';

/** Probes of the farm "sources", as arguments of calls. */
export const MODULES = ['North 1', 'Olivo 1', 'North 2', 'South 1', 'South 2', 'Vigne haute'];

interface Replay {
  /** Within this process, unless options or a key of the program matter. */
  play(story: Story, solutions?: readonly Solution[]): Promise<StoryResult>;
  playInProgram(story: Story): Promise<StoryResult>;
}

export async function replayForFile(): Promise<Replay> {
  const folder = await folderForFile();
  const farms = new Farms(folder);
  const recorded = ({ turns }: Story): Solution[] => turns.map(({ solution }) => solution);
  const play = async (
    story: Story,
    solutions: readonly Solution[],
    startServer?: typeof localServer,
  ): Promise<StoryResult> => {
    const own = await mkdtemp(join(folder, 'story-'));
    return playStory(
      story,
      await farms.get(story.farm),
      { folder: own, startServer },
      (exchanges) => recordedAssistant(solutions, exchanges),
    );
  };
  const needsProgram = ({ server, turns }: Story): boolean =>
    server.length > 0 || turns.some(({ as }) => as !== undefined);
  return {
    play: (story, solutions = recorded(story)) =>
      play(story, solutions, needsProgram(story) ? undefined : localServer),
    playInProgram: (story) => play(story, recorded(story)),
  };
}

/** The tools without a process: starting one takes most of the time of a story. */
function localServer({ db, clock }: ServerOptions): ToolServer {
  let opened: Promise<Store> | undefined;
  const storeOf = (): Promise<Store> => (opened ??= openStore({ db }));
  return {
    async call(name, args) {
      try {
        const operation = operationForArguments(toolsByName.get(name)!, args);
        const runner = new LocalRunner({
          store: await storeOf(),
          operations: toolsByName,
          source: 'mcp',
          lang: 'en',
          clock: () => Date.parse(clock),
        });
        const { idempotencyKey, ...rawArguments } = args;
        const { body, changeId } = await runner.run(operation, {
          rawArguments,
          idempotencyKey: idempotencyKey as string | undefined,
          readArguments: (context) => readToolArguments(operation, rawArguments, context),
        });
        return {
          text: JSON.stringify(body),
          isError: false,
          isWrite: changeId != null,
          body: { ...(body as object), changeId },
        };
      } catch (error) {
        return { text: String(error), isError: true, isWrite: false, body: null };
      }
    },
    describe: async () => ({ instructions: '', tools: [] }),
    close: async () => (await opened)?.close(),
  };
}
