<?php
namespace App;
class { function a( {} }
class A extends { private $ ; function () { return $this->; } use ; }
function () {
$a = new ;
A::;
foreach ($x as) { }
if ( {
