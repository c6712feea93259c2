import { describe, expect, it } from 'vitest';
import { STORIES } from '../../eval/program.ts';
import { loadStories } from '../../eval/story.ts';
import { wrongSolutions } from './mutations.ts';
import { MODULES, replayForFile } from './replay.ts';

const stories = await loadStories(STORIES);
const { play, playInProgram } = await replayForFile();

describe.concurrent('the stories of the evaluation', () => {
  it.each(stories)(
    '$theme/$id is played by the program, and depends on every argument of its writes',
    async (story) => {
      const played = await playInProgram(story);
      expect(played.problems).toEqual([]);
      const accepted: string[] = [];
      for (const wrong of wrongSolutions(story, played, MODULES))
        if ((await play(story, wrong)).problems.length === 0) accepted.push(JSON.stringify(wrong));
      expect(accepted).toEqual([]);
    },
  );
});
