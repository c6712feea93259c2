import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { playStory, type StoryResult } from '../../eval/conversation.ts';
import { Farms } from '../../eval/farm.ts';
import { recordedAssistant } from '../../eval/recorded.ts';
import type { Solution, Story } from '../../eval/story.ts';
import { folderForFile } from '../temporary-places.ts';
import { localServer } from './local-server.ts';

/** Of the farm "sources", as arguments of calls. */
export const MODULES = ['North 1', 'Olivo 1', 'North 2', 'South 1', 'South 2', 'Vigne haute'];

export interface Replay {
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
    return playStory(story, await farms.get(story.farm), { folder: own, startServer }, (exchanges) =>
      recordedAssistant(solutions, exchanges),
    );
  };
  const needsProgram = ({ server, as }: Story): boolean => server.length > 0 || as !== undefined;
  return {
    play: (story, solutions = recorded(story)) => play(story, solutions, needsProgram(story) ? undefined : localServer),
    playInProgram: (story) => play(story, recorded(story)),
  };
}
