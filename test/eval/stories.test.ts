import { describe, expect, it } from 'vitest';
import { STORIES } from '../../eval/program.ts';
import { problemsOf } from '../../eval/score.ts';
import { loadStories } from '../../eval/story.ts';
import { wrongOutcomes, wrongSolutions } from './mutations.ts';
import { MODULES, replayForFile } from './replay.ts';

const stories = await loadStories(STORIES);
const { play } = await replayForFile();

describe.concurrent('the stories of the evaluation', () => {
  it('number at least 80, each with its own name', () => {
    expect(stories.length).toBeGreaterThanOrEqual(80);
    expect(new Set(stories.map(({ id }) => id)).size).toBe(stories.length);
  });

  it.each(stories)('$theme/$id accepts its recorded solution and nothing that differs in one thing', async (story) => {
    const result = await play(story);
    expect(result.problems).toEqual([]);
    const accepted = wrongOutcomes(story, result).filter(
      ({ outcomes }) => problemsOf(story, result.before, outcomes).length === 0,
    );
    expect(accepted.map(({ name }) => name)).toEqual([]);
    // One argument of every third story; the deep test changes all of them.
    const nth = stories.indexOf(story);
    const wrong = nth % 3 === 0 ? wrongSolutions(story, result, MODULES) : [];
    const chosen = wrong[nth % (wrong.length || 1)];
    if (chosen !== undefined) expect((await play(story, chosen)).problems, JSON.stringify(chosen)).not.toEqual([]);
  });

  const explicit = stories.flatMap((story) =>
    story.turns.flatMap(({ wrong }, turn) =>
      wrong === undefined ? [] : [{ name: `${story.theme}/${story.id}`, story, wrong, turn }],
    ),
  );
  it.each(explicit)('$name refuses its wrong solution', async ({ story, wrong, turn }) => {
    const { problems } = await play(
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
