import React, { Component, forwardRef, lazy, memo as remember, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { memo } from './cache';
import { observer } from 'mobx-react-lite';

export function Plain() {
  return <p>plain</p>;
}

// In lower case it is no component, whatever it gives.
function row() {
  return <li />;
}

// Capitalised, but it gives no element on its own paths.
export function Money(amount: number) {
  const cell = () => <b>{amount}</b>;
  return format(cell);
}

export const Choice = ({ ok }: { ok: boolean }) => (ok ? <Plain /> : null);
export const Maybe = ({ ok }: { ok: boolean }) => ok && <>yes</>;

export function ThroughVariable({ ok }: { ok: boolean }) {
  let content: ReactNode = null;
  if (ok) {
    content = <Plain />;
  }
  return content;
}

export function Rows({ items }: { items: string[] }) {
  switch (items.length) {
    case 0:
      return null;
    default:
      return items.map((item) => <li key={item}>{item}</li>);
  }
}

export const Portal = ({ at }: { at: Element }) => createPortal(<Plain />, at);
export const Made = () => React.createElement('div');

export const Field = forwardRef<HTMLInputElement, FieldProps>((props, ref) => {
  const id = useId();
  return <input id={id} ref={ref} {...props} />;
});

export const Named = React.memo(
  forwardRef(function Inner(props: FieldProps, ref) {
    return <Field {...props} ref={ref} />;
  }),
);

export const Remembered = remember(Plain);
export const Later = lazy(() => import('./later'));
export const Watched = observer(() => <Field />);

// Of a file of one's own: nobody knows what it makes.
export const Cached = memo(Plain);
// But what gives elements is rendered.
export const Wrapped = withTheme((props) => <Plain {...props} />);

export class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false };

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}

export class Base extends React.PureComponent {}

export class Child extends Screen {
  render() {
    return <Plain />;
  }
}

// Neither extends the library's, nor gives elements.
export class Model extends Entity {
  render() {
    return 'text';
  }
}

export default React.memo(Boundary);
