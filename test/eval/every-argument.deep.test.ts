import { describe, expect, it } from 'vitest';
import { STORIES } from '../../eval/program.ts';
import { loadStories } from '../../eval/story.ts';
import { wrongSolutions } from './mutations.ts';
import { MODULES, replayForFile } from './replay.ts';

const stories = await loadStories(STORIES);
const { play, playWrong } = await replayForFile();

describe.concurrent('the stories of the evaluation', () => {
  it.each(stories)('$theme/$id depends on every argument of its writes', async (story) => {
    const accepted: string[] = [];
    for (const wrong of wrongSolutions(story, await play(story), MODULES))
      if ((await playWrong(story, wrong)).problems.length === 0) accepted.push(JSON.stringify(wrong));
    expect(accepted).toEqual([]);
  });
});
