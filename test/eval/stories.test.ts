import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playStory, type StoryResult } from '../../eval/conversation.ts';
import { Farms } from '../../eval/farm.ts';
import { STORIES } from '../../eval/program.ts';
import { recordedAssistant } from '../../eval/recorded.ts';
import { problemsOf } from '../../eval/score.ts';
import { loadStories, type Solution, type Story } from '../../eval/story.ts';
import { folderForFile } from '../temporary-places.ts';
import { localServer } from './local-server.ts';
import { wrongOutcomes, wrongSolutions } from './mutations.ts';

const stories = await loadStories(STORIES);
const folder = await folderForFile();
const farms = new Farms(folder);
/** Of the farm "sources", as arguments of calls. */
const MODULES = ['North 1', 'Olivo 1', 'North 2', 'South 1', 'South 2', 'Vigne haute'];

async function play(
  story: Story,
  solutions: readonly Solution[],
  startServer?: typeof localServer,
): Promise<StoryResult> {
  const own = await mkdtemp(join(folder, 'story-'));
  return playStory(story, await farms.get(story.farm), { folder: own, startServer }, (exchanges) =>
    recordedAssistant(solutions, exchanges),
  );
}

/** The built program where options or a key matter, which the process reads. */
const playWrong = (story: Story, solutions: readonly Solution[]): Promise<StoryResult> =>
  play(story, solutions, story.server.length === 0 && story.as === undefined ? localServer : undefined);

describe.concurrent('the stories of the evaluation', () => {
  it('number at least 80, each with its own name', () => {
    expect(stories.length).toBeGreaterThanOrEqual(80);
    expect(new Set(stories.map(({ id }) => id)).size).toBe(stories.length);
  });

  it.each(stories)('$theme/$id accepts its recorded solution and nothing that differs in one thing', async (story) => {
    const result = await play(
      story,
      story.turns.map(({ solution }) => solution),
    );
    expect(result.problems).toEqual([]);
    const accepted = wrongOutcomes(story, result).filter(
      ({ outcomes }) => problemsOf(story, result.before, outcomes).length === 0,
    );
    expect(accepted.map(({ name }) => name)).toEqual([]);
    const wrong = wrongSolutions(story, result, MODULES);
    const chosen = process.env.ACEQUIA_TEST_DEEP
      ? wrong
      : wrong.slice(stories.indexOf(story) % (wrong.length || 1)).slice(0, 1);
    for (const solutions of chosen)
      expect((await playWrong(story, solutions)).problems, JSON.stringify(solutions)).not.toEqual([]);
  });

  const explicit = stories.flatMap((story) =>
    story.turns.flatMap(({ wrong }, turn) =>
      wrong === undefined ? [] : [{ name: `${story.theme}/${story.id}`, story, wrong, turn }],
    ),
  );
  it.each(explicit)('$name refuses its wrong solution', async ({ story, wrong, turn }) => {
    const { problems } = await playWrong(
      story,
      story.turns.map(({ solution }, index) => (index === turn ? wrong : solution)),
    );
    expect(problems).not.toEqual([]);
  });

  it('show a wrong solution wherever a question is right', () => {
    const unguarded = stories.flatMap(({ id, turns }) =>
      turns.flatMap(({ asks, wrong }) => (asks !== undefined && wrong === undefined ? [id] : [])),
    );
    expect(unguarded).toEqual([]);
  });
});
