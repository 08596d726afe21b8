import {render as inkRender} from 'ink-testing-library';
import {useEffect, useState} from 'react';
import {expect, test, vi} from 'vitest';
import {KeyLine, useKeys} from '../../../src/screens/parts/keys.tsx';
import {Text} from '../../../src/screens/parts/safe-text.tsx';

function Screen({name, hear}: {readonly name: string; readonly hear: (name: string) => void}) {
  useKeys([{keys: ['x'], run: () => hear(name)}]);
  return <Text>{name}</Text>;
}

test('a key that comes with the first frame of a screen is that screen’s', async () => {
  const heard: string[] = [];
  const hear = (name: string) => heard.push(name);
  let goOn = () => {};
  function Screens() {
    const [name, setName] = useState('first');
    useEffect(() => {
      goOn = () => setName('second');
    }, []);
    return <Screen key={name} name={name} hear={hear} />;
  }
  const app = inkRender(<Screens />);
  await vi.waitFor(() => expect(app.lastFrame()).toContain('first'));
  const {write} = app.stdout;
  app.stdout.write = frame => {
    write(frame);
    // The key arrives in the same turn of the event loop in which the frame is drawn.
    if (!frame.includes('second')) return;
    app.stdout.write = write;
    queueMicrotask(() => app.stdin.write('x'));
  };
  // An event of a flow is not a key, so its frame is not urgent.
  setTimeout(() => goOn());
  await vi.waitFor(() => expect(heard).toEqual(['second']));
  app.unmount();
});

test('the line of keys says of each what it does, which is what the first says that is bound to it', () => {
  const run = () => {};
  const back = {keys: ['esc'], label: 'back', run};
  const filter = {keys: ['esc'], label: 'whole list', run};
  const app = inkRender(<KeyLine bindings={[filter, back]} />);
  expect(app.lastFrame()?.trim()).toBe('esc whole list');
  app.rerender(<KeyLine bindings={[back]} />);
  expect(app.lastFrame()?.trim()).toBe('esc back');
  app.unmount();
});
