from django.test import TestCase


def test_not_collected(): ...


class Views(TestCase):
    def test_get(self): ...
