from django.conf.urls import url
from django.contrib import admin
from django.urls import include, path, re_path

from . import views
from .views import ArticleView, router

article_patterns = [
    path("", views.articles, name="articles"),
    path("<int:pk>/", ArticleView.as_view(), name="article"),
    re_path(r"^(?P<slug>[-\w]+)/$", views.by_slug),
]
twice = [path("twice/", views.twice)]

urlpatterns = [
    path("", views.index),
    path("admin/", admin.site.urls),
    path("api/", include(router.urls)),
    path("shop/", include("shop.urls")),
    path("articles/", include((article_patterns, "articles"))),
    path("a/", include(twice)),
    path("b/", include(twice)),
    path(
        "nested/",
        include(
            [
                path("one/", lambda request: views.index(request)),
                path("deeper/", include([path("two/", views.index)])),
            ]
        ),
    ),
    re_path(r"^archive/(?P<year>[0-9]{4})/$", views.archive),
    url(r"^old/$", views.old),
]
urlpatterns += [path("later/", views.later)]


def other():
    return path("not", "a pattern")
