import React from 'react';

export default function Page({ items }) {
  return <List items={items} onPick={pick}>{items.map((item) => <Item key={item} />)}</List>;
}

const pick = (item) => React.track(item);
