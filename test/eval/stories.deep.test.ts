import { describe, expect, it } from 'vitest';
import { STORIES } from '../../eval/program.ts';
import { problemsOf } from '../../eval/score.ts';
import { loadStories } from '../../eval/story.ts';
import { wrongOutcomes } from './mutations.ts';
import { replayForFile } from './replay.ts';

const stories = await loadStories(STORIES);
const { play } = await replayForFile();

describe.concurrent('the stories of the evaluation', () => {
  it('number at least 80, each with its own name', () => {
    expect(stories.length).toBeGreaterThanOrEqual(80);
    expect(new Set(stories.map(({ id }) => id)).size).toBe(stories.length);
  });

  it.each(stories)(
    '$theme/$id accepts its recorded solution and nothing that differs in one thing',
    async (story) => {
      const result = await play(story);
      expect(result.problems).toEqual([]);
      const accepted = wrongOutcomes(story, result).filter(
        ({ outcomes }) => problemsOf(story, result.before, outcomes).length === 0,
      );
      expect(accepted.map(({ name }) => name)).toEqual([]);
    },
  );

  it('show a wrong solution wherever a question is right, and of every noisy transcript', () => {
    const unguarded = stories.flatMap(({ theme, id, turns }) =>
      turns.flatMap(({ asks, wrong }, turn) => {
        const needsWrong = asks !== undefined || (theme.startsWith('noisy') && turn === 0);
        return needsWrong && wrong === undefined ? [id] : [];
      }),
    );
    expect(unguarded).toEqual([]);
  });

  it('number 40 noisy transcripts and ten conversations of ten turns', () => {
    const ofThemes = (pattern: RegExp) => stories.filter(({ theme }) => pattern.test(theme));
    expect(ofThemes(/^noisy-/)).toHaveLength(40);
    expect(ofThemes(/^conversations-/).map(({ turns }) => turns.length)).toEqual(
      Array(10).fill(10),
    );
  });
});
