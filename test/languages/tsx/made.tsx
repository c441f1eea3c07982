import dynamic from 'next/dynamic';
import { forwardRef } from 'react';
import { connect } from 'react-redux';
import { withRouter } from 'react-router';
import styled, { css } from 'styled-components';
import Other from './other';

export const Button = styled.button`color: red;`;
export const Big = styled(Button).attrs({ size: 2 })`width: ${(props) => props.width}px;`;
export const Chart = dynamic(() => import('./chart'), { ssr: false });
const Body = () => <p />;
export const Menu = Object.assign(Body, { Item: Other });
export const Bar = Object.assign(
  forwardRef((props, ref) => <nav ref={ref} />),
  { Menu },
);
export const Fields = { Text: (props) => <input {...props} />, size: 3 };

// None of these is one.
export const Mixin = css`color: red;`;
export const Theme = Object.assign(Other, { dark: true });
export const button = styled.button``;
export const Context = createContext(<Body />);
export const List = connect(select, { load })(Body);
export default withRouter(connect(select)(Other));
