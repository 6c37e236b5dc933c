import '@fontsource-variable/inter';
import '@fontsource-variable/fraunces/full.css';
import './styles/tokens.css';
import './styles/frame.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('page');
if (target !== null) mount(App, { target });
