import {expect, test} from 'vitest';
import {changesAgain} from '../../../../src/state/steps/review/review.ts';

const failure = {step: 'write', whose: 'you', headline: 'It failed', message: '', remedy: ''} as const;

test('changes are looked at again where another program has changed a file since, and only there', () => {
  expect(changesAgain({...failure, code: 'local-file-changed'}).offers).toEqual([
    {label: 'Review the changes again', event: {type: 'went-back', to: 'plan'}},
  ]);
  expect(changesAgain({...failure, code: 'local-write-failed'})).toEqual({offers: []});
});
